/**
 * Whether the caller wants records without the texts of question, answer and corrections (`Service-Texts: withheld`).
 * The console sends it for each browser; a person reads the texts by `POST …/reveal`, which the log names.
 */
export function withholdsTexts(request: { header(name: string): string | undefined }): boolean {
  return request.header('service-texts') === 'withheld';
}
