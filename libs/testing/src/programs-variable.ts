/** The variable that names the folder of a test run in which the programs that tests start are bundled. */
export const programsVariable = 'TEST_PROGRAMS';

/** The variable that is set where the apps have just been built: tests start what was built, and bundle nothing. */
export const builtVariable = 'TEST_BUILT_PROGRAMS';
