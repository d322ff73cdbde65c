import { openTestService } from '../scenery/test-service.ts';

/** The description of the API, as a running service gives it. */
export async function describeApi(): Promise<string> {
  const service = await openTestService();
  try {
    return (await service.call('GET', '/api/openapi.json', { token: null })).text;
  } finally {
    await service.close();
  }
}
