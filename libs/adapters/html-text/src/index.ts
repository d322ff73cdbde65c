export { createHtmlReader } from './html-reader.ts';
