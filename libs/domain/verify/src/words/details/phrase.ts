/** What a check says in English and in another language, with {1}, {2} and so on for what is of one case. */
export type Phrase = readonly [english: string, other: string];
