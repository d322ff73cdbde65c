/** What the page does: takes the secret out of the address at once, and sends it with the password to this host. */
export const PAGE_SCRIPT = `
const secret = location.hash.slice(1);
history.replaceState(null, '', location.pathname);
const form = document.querySelector('form');
const said = document.querySelector('output');
const [first, second] = form.querySelectorAll('input');
const problem = (text) => { said.textContent = text; };
if (secret === '') problem('This page needs a password link: open the whole link that you were sent.');
form.addEventListener('submit', async (event) => {
  event.preventDefault();
  if (first.value !== second.value) return problem('The two passwords differ.');
  const button = form.querySelector('button');
  button.disabled = true;
  try {
    const reply = await fetch('/api/auth/password', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ secret, password: first.value }),
    });
    const body = await reply.json();
    if (!reply.ok) return problem(body.detail ?? 'The service could not do it. Try again.');
    form.hidden = true;
    problem('The password of ' + body.username + ' in ' + body.tenant_display_name + ' is set. You can sign in with it now.');
  } catch {
    problem('The service could not be reached. Try again.');
  } finally {
    button.disabled = false;
  }
});
`;

/** How the page looks. */
export const PAGE_STYLE = `
body { font: 16px/1.5 system-ui, sans-serif; max-width: 26rem; margin: 12vh auto; padding: 0 1rem; }
label { display: block; margin: 1rem 0; }
input { display: block; width: 100%; box-sizing: border-box; font: inherit; padding: .5rem; }
button { font: inherit; padding: .5rem 1rem; }
output { display: block; margin-top: 1rem; }
`;

/** The whole page. */
export const PASSWORD_PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Set a password</title>
<style>${PAGE_STYLE}</style>
</head>
<body>
<h1>Set a password</h1>
<form>
<label>New password, at least 12 characters <input type="password" autocomplete="new-password" minlength="12" required></label>
<label>The same again <input type="password" autocomplete="new-password" required></label>
<button>Set the password</button>
</form>
<output role="status"></output>
<noscript>This page needs JavaScript. The command "answer-evidence password set" does the same.</noscript>
<script>${PAGE_SCRIPT}</script>
</body>
</html>
`;
