/**
 * What becomes of an operation for somebody who is limited to applications or environments. `own`: it gives and changes
 * what is theirs alone. `application`: the same by application; what it is about has no environment, so those who are
 * limited to environments may not ask. `workspace`: it is about the whole workspace, so nobody who is limited may ask.
 * `none`: it holds nothing of any application.
 */
export type OperationLimit = 'own' | 'application' | 'workspace' | 'none';

/**
 * The decision for each operation that somebody who is limited may call. What has no row is about the whole workspace:
 * the leaves of the log name every record, a hold is about records of any application, and spans name their own.
 */
const WITHIN_LIMITS: Readonly<Record<string, Exclude<OperationLimit, 'workspace'>>> = {
  createAnswerRecord: 'own',
  createAnswerRecords: 'own',
  listAnswerRecords: 'own',
  getAnswerRecord: 'own',
  verifyAnswerRecord: 'own',
  revealTexts: 'own',
  appendLifecycleEvent: 'own',
  searchRecords: 'own',
  openSearchSession: 'none',
  getWordIndex: 'none',
  browseTexts: 'own',
  countAnswered: 'application',
  listMarkedRecords: 'own',
  listSearchValues: 'own',
  listViews: 'own',
  createView: 'own',
  removeView: 'own',

  // An asset belongs to an application; which environments its records have is not known of it.
  createEvidenceAsset: 'application',
  listEvidenceAssets: 'application',
  getEvidenceAsset: 'application',
  retrieveEvidence: 'application',
  downloadEvidence: 'application',
  listEvidenceAccesses: 'application',
  downloadRecordEvidence: 'application',
  registerRecordEvidence: 'application',
  uploadRecordEvidence: 'application',

  explainOtlp: 'application',
  explainOtlpRules: 'application',
  getTraceFates: 'application',
  listIgnoredItems: 'application',
  listUnattachedTraces: 'own',

  createReconciliationRun: 'own',
  listReconciliationRuns: 'own',
  getReconciliationRun: 'own',
  listReconciliationFindings: 'own',
  getReconciliationRecords: 'own',
  getReconciliationProof: 'own',
  // Names of members, whom a finding can be given to; of a run that is theirs.
  listAssignees: 'own',
  listFindingTriage: 'own',
  getFindingTriage: 'own',
  appendTriageStep: 'own',

  getAnswerProof: 'own',
  revealAnswerProof: 'own',
  createPack: 'own',
  createProofLink: 'own',
  listProofLinks: 'own',
  revokeProofLink: 'own',
  getTrustPolicy: 'none',
  listAnchors: 'none',
  listWitnesses: 'none',
  listCheckpoints: 'none',
  listLogKeys: 'none',

  getOverview: 'own',
  getOwnNotifications: 'own',
  putOwnNotifications: 'own',
  confirmOwnNotifications: 'own',
  removeOwnNotifications: 'own',
  createToken: 'own',
  getToken: 'own',
  listTokens: 'own',
  revokeToken: 'own',
  rotateToken: 'own',
  logout: 'none',
  getIdentity: 'none',
};

/** What becomes of an operation for somebody who is limited. */
export function limitOf(operationId: string): OperationLimit {
  return WITHIN_LIMITS[operationId] ?? 'workspace';
}

/** Operations with a decision of their own. */
export const LIMITED_OPERATIONS = Object.keys(WITHIN_LIMITS);
