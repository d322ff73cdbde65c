/** What the page may load and where it may send: this host only, no inline code, in no frame. */
export const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** The page at `/api/docs`; everything that it names is relative, so that it works behind any prefix. */
export const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <title>Answer Evidence Service API</title>
    <link rel="icon" type="image/png" href="docs/favicon-32x32.png" />
    <link rel="stylesheet" href="docs/swagger-ui.css" />
  </head>
  <body>
    <main id="api">
      <noscript>This page needs JavaScript. The description itself is <a href="openapi.json">openapi.json</a>.</noscript>
    </main>
    <script src="docs/swagger-ui-bundle.js"></script>
    <script src="docs/start.js"></script>
  </body>
</html>
`;

/** Starts the page. Trial requests go to the page's own host, which is all that the policy lets it call. */
export const START_SCRIPT = `'use strict';
const dark = matchMedia('(prefers-color-scheme: dark)');
const followScheme = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
followScheme();
dark.addEventListener('change', followScheme);

// The command is copied into chats and tickets; the token stays here.
const hideToken = ({ React }) => ({
  wrapComponents: {
    curl: (Curl) => (props) => {
      const hide = (value, name) => (/^authorization$/i.test(name) ? 'Bearer TOKEN' : value);
      const headers = props.request.get('headers')?.map(hide);
      return React.createElement(Curl, { ...props, request: props.request.set('headers', headers) });
    },
  },
});

(async () => {
  const response = await fetch('openapi.json');
  const spec = await response.json();
  spec.servers = [{ url: new URL('..', location.href).href.replace(/\\/$/, '') }];
  SwaggerUIBundle({
    spec,
    domNode: document.getElementById('api'),
    deepLinking: true,
    docExpansion: 'list',
    defaultModelsExpandDepth: 0,
    plugins: [hideToken],
    filter: true,
    persistAuthorization: false,
    queryConfigEnabled: false,
    validatorUrl: null,
  });
})();
`;
