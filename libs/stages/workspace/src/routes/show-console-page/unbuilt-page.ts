/** What stands in place of a console that was not built. */
export const UNBUILT_PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>The console is not built</title>
</head>
<body>
<h1>The console is not built</h1>
<p>The service runs, and its API works. To build the console, run this in the folder of the service, then start the
service again:</p>
<pre>npm run console:build</pre>
</body>
</html>
`;
