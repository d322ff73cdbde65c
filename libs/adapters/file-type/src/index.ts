export { createContentSniffer } from './content-sniffer.ts';
