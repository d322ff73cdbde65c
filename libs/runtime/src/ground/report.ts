/** Tells the person who started the process what is going on; lines go to standard error, apart from the logs. */
export type Report = (line: string) => void;
