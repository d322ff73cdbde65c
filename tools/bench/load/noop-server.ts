import express from 'express';

// What a create is compared with: the same framework and Node, a JSON body read and a small one answered.
const app = express();
app.use(express.json());
app.post('/', (_request, response) => {
  response.status(201).json({ ok: true });
});
const server = app.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (typeof address === 'object' && address !== null)
    process.stderr.write(`ready at http://127.0.0.1:${address.port}/\n`);
});
process.once('SIGTERM', () => process.exit(0));
