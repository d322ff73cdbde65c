/** A service in a process of its own, so that its work is not counted as that of the application. */
import { openFakeService } from '../../../packages/sdk/src/testing/fake-service.ts';

const service = await openFakeService();
process.stdout.write(`${service.url}\n`);
process.on('disconnect', () => void service.close());
