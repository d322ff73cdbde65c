/** The variable that names the folder of a test run in which the programs that tests start are bundled. */
export const programsVariable = 'TEST_PROGRAMS';
