import { good, NAMES, type PackRow, parts, WORD } from './pack-case.ts';

const TOLERANCE = 300_000_000;

/** Packs beside the entry and the log that say when they were made. */
export const DATED_PACKS: readonly PackRow[] = [
  {
    id: 'its entry',
    entry: {},
    outcomes: {
      ...parts('PASS'),
      'pack pack_made_at': 'PASS',
      'pack pack_content': 'PASS',
      'entry merkle_inclusion': 'PASS',
    },
  },
  {
    id: 'its entry, 300 s later',
    entry: {},
    loggedAfter: TOLERANCE,
    outcomes: { 'pack pack_made_at': 'PASS', 'pack pack_content': 'PASS' },
  },
  {
    id: 'its entry, 300 s and 1 µs later',
    entry: {},
    loggedAfter: TOLERANCE + 1,
    outcomes: { 'pack pack_made_at': 'FAIL', 'pack pack_content': 'PASS' },
  },
  {
    id: 'its entry, 300 s and 1 µs before',
    entry: {},
    loggedAfter: -TOLERANCE - 1,
    outcomes: { 'pack pack_made_at': 'FAIL', 'pack pack_content': 'PASS' },
  },
  {
    id: 'its entry with a byte more in the file',
    entry: {},
    page: (page) => `${page} `,
    outcomes: { ...parts('PASS'), 'pack pack_made_at': 'PASS', 'pack pack_content': 'FAIL' },
  },
  {
    id: 'its entry with another number of records',
    entry: { records: 2 },
    outcomes: { 'pack pack_made_at': 'PASS', 'pack pack_content': 'FAIL' },
  },
  {
    id: 'its entry with the hash of another file',
    entry: { content_hash: `sha256:${'0'.repeat(64)}` },
    outcomes: { 'pack pack_made_at': 'PASS', 'pack pack_content': 'FAIL' },
  },
  { id: 'its entry of another form of export', entry: { format: 'jsonl' }, outcomes: { 'pack pack_content': 'FAIL' } },
  {
    id: 'its entry with another core',
    entry: {},
    response: (response) => (response.core['records'] = 4),
    outcomes: { 'pack pack_content': 'FAIL', 'entry merkle_inclusion': 'PASS' },
  },
  {
    id: 'its entry with a receipt of another leaf',
    entry: {},
    response: (response) => (response.receipt = response.receipt.replace(/index \d+/, 'index 1')),
    outcomes: { 'pack pack_content': 'FAIL', 'entry merkle_inclusion': 'FAIL' },
  },
  {
    id: 'made_at altered, with its entry',
    entry: {},
    page: (page) => page.replace(`"made_at":"2024`, `"made_at":"2019`),
    outcomes: { ...parts('PASS'), 'pack pack_made_at': 'FAIL', 'pack pack_content': 'FAIL' },
  },
  {
    id: 'the log',
    log: 'whole',
    outcomes: { ...parts('PASS'), 'pack pack_made_at': 'PASS', 'pack pack_content': 'SKIP', 'log log_order': 'PASS' },
  },
  {
    id: 'made_at altered, with the log',
    log: 'whole',
    page: (page) => page.replace(`"made_at":"2024`, `"made_at":"2019`),
    outcomes: { 'pack pack_made_at': 'FAIL', 'pack pack_content': 'SKIP' },
  },
  {
    id: 'made_at in the future, with the log',
    log: 'whole',
    page: (page) => page.replace(`"made_at":"2024`, `"made_at":"2035`),
    outcomes: { 'pack pack_made_at': 'SKIP' },
  },
  {
    id: 'made_at altered, without the log',
    page: (page) => page.replace(`"made_at":"2024`, `"made_at":"2019`),
    outcomes: { ...parts('PASS'), ...WORD, ...good(...NAMES) },
  },
  { id: 'a log that ends before it', log: 'ends before', outcomes: { 'pack pack_made_at': 'SKIP' } },
  {
    id: 'a log that lacks entries',
    log: 'lacks entries',
    page: (page) => page.replace(`"made_at":"2024`, `"made_at":"2019`),
    outcomes: { 'pack pack_made_at': 'SKIP' },
  },
];
