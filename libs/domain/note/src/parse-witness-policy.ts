import { formatHex } from '@answer-evidence/encoding';
import { NoteError } from './note-error.ts';
import { COSIGNATURE_ED25519, COSIGNATURE_ML_DSA_44, ED25519, parseVkey, type Vkey } from './vkey.ts';
import {
  type GroupThreshold,
  type PolicyGroup,
  type PolicyLog,
  type PolicyWitness,
  type WitnessPolicy,
  WitnessPolicyError,
} from './witness-policy.ts';

/** The longest policy text, in UTF-16 units: room for hundreds of keys, also of post-quantum ones. */
const WITNESS_POLICY_MAX = 512 * 1024;

/** The most logs, witnesses and groups of a policy, of each kind; the specification asks for 32. */
const DEFINITIONS_MAX = 256;

/** By signed-note: Ed25519, ECDSA, RFC 6962 tree heads, ML-DSA-44. */
const LOG_KEY_TYPES: readonly number[] = [ED25519, 0x02, 0x05, COSIGNATURE_ML_DSA_44];
/** By tlog-cosignature. */
const WITNESS_KEY_TYPES: readonly number[] = [COSIGNATURE_ED25519, COSIGNATURE_ML_DSA_44];

const NONE = 'none';

/** Reads and enforces C2SP tlog-policy; the last line feed may lack. Throws `WitnessPolicyError` with the line. */
export function parseWitnessPolicy(text: string): WitnessPolicy {
  if (text.length > WITNESS_POLICY_MAX) throw new WitnessPolicyError('the policy is too long');
  const draft = new PolicyDraft();
  text.split('\n').forEach((line, i) => {
    try {
      draft.addLine(line);
    } catch (error) {
      if (error instanceof NoteError) throw new WitnessPolicyError(error.reason, i + 1);
      throw error;
    }
  });
  return draft.finish();
}

/** A policy as far as it has been read. Its refusals are `NoteError`s, to which the reader adds the line. */
class PolicyDraft {
  readonly #logs: PolicyLog[] = [];
  readonly #witnesses: PolicyWitness[] = [];
  readonly #groups: PolicyGroup[] = [];
  #quorum: string | null | undefined;
  /** Witnesses and groups have their names from one space. */
  readonly #names = new Set<string>();
  readonly #members = new Set<string>();
  readonly #logKeys = new Set<string>();
  readonly #witnessKeys = new Set<string>();

  addLine(line: string): void {
    assertOctets(line);
    // Only space and tab separate; what Unicode calls a space is an octet like any other.
    const [keyword, ...items] = line.split(/[ \t]+/).filter((item) => item !== '');
    if (keyword === undefined || keyword.startsWith('#')) return;
    switch (keyword) {
      case 'log':
        return this.#addLog(items);
      case 'witness':
        return this.#addWitness(items);
      case 'group':
        return this.#addGroup(items);
      case 'quorum':
        return this.#setQuorum(items);
      default:
        throw new NoteError('the line must start with log, witness, group or quorum');
    }
  }

  finish(): WitnessPolicy {
    if (this.#quorum === undefined) throw new WitnessPolicyError('the policy has no quorum line');
    return { logs: this.#logs, witnesses: this.#witnesses, groups: this.#groups, quorum: this.#quorum };
  }

  #addLog([key, url, ...rest]: readonly string[]): void {
    if (key === undefined || rest.length > 0) throw new NoteError('a log line must be: log <vkey> [<url>]');
    assertRoom(this.#logs);
    this.#logs.push({ vkey: parseKey(key, LOG_KEY_TYPES, this.#logKeys), url });
  }

  #addWitness([name, key, url, ...rest]: readonly string[]): void {
    if (name === undefined || key === undefined || rest.length > 0) {
      throw new NoteError('a witness line must be: witness <name> <vkey> [<url>]');
    }
    assertRoom(this.#witnesses);
    this.#define(name);
    this.#witnesses.push({ name, vkey: parseKey(key, WITNESS_KEY_TYPES, this.#witnessKeys), url });
  }

  #addGroup([name, threshold, ...members]: readonly string[]): void {
    if (name === undefined || threshold === undefined || members.length === 0) {
      throw new NoteError('a group line must be: group <name> all|any|<k> <name>...');
    }
    assertRoom(this.#groups);
    for (const member of members) {
      if (!this.#names.has(member)) throw new NoteError('a member of the group must be defined before it');
      // Else one witness could count twice, by two ways.
      if (this.#members.has(member)) throw new NoteError('a name is a member of a group for the second time');
      this.#members.add(member);
    }
    // After its members: a group is not one of its own.
    this.#define(name);
    this.#groups.push({ name, threshold: parseThreshold(threshold, members.length), members });
  }

  #setQuorum([name, ...rest]: readonly string[]): void {
    if (name === undefined || rest.length > 0) throw new NoteError('a quorum line must be: quorum <name>|none');
    if (this.#quorum !== undefined) throw new NoteError('the policy has two quorum lines');
    if (name !== NONE && !this.#names.has(name)) throw new NoteError('the quorum must be defined before its line');
    this.#quorum = name === NONE ? null : name;
  }

  #define(name: string): void {
    if (name === NONE) throw new NoteError('the name "none" is reserved for no quorum');
    if (this.#names.has(name)) throw new NoteError('the name is defined twice');
    this.#names.add(name);
  }
}

/** Bytes of UTF-8 from 0x80 on are opaque. */
function assertOctets(line: string): void {
  // oxlint-disable-next-line no-control-regex
  if (/[\u0000-\u0008\u000a-\u001f\u007f]/.test(line)) throw new NoteError('the line has a control character');
  if (!line.isWellFormed()) throw new NoteError('the line is not Unicode');
}

function assertRoom(definitions: readonly unknown[]): void {
  if (definitions.length >= DEFINITIONS_MAX)
    throw new NoteError(`more than ${DEFINITIONS_MAX} definitions of one kind`);
}

/** Two keys of one kind must differ as keys, whatever their names and types: else one name would count for another. */
function parseKey(text: string, types: readonly number[], known: Set<string>): Vkey {
  const vkey = parseVkey(text);
  if (!types.includes(vkey.type)) throw new NoteError('the key type is not valid here');
  const publicKey = formatHex(vkey.publicKey);
  if (known.has(publicKey)) throw new NoteError('the public key was already used in an earlier line');
  known.add(publicKey);
  return vkey;
}

function parseThreshold(text: string, membersCount: number): GroupThreshold {
  if (text === 'all' || text === 'any') return text;
  const threshold = /^[1-9][0-9]{0,8}$/.test(text) ? Number(text) : 0;
  if (threshold < 1 || threshold > membersCount) {
    throw new NoteError('the threshold must be all, any, or a number from 1 to the number of members');
  }
  return threshold;
}
