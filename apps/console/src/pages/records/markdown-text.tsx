import MarkdownIt, { type Token } from 'markdown-it';
import { createElement, Fragment, type ReactNode, useMemo } from 'react';
import { PlainText } from '../../components/plain-text.tsx';
import classes from './record.module.css';

// Without HTML: it stands as the text that it is.
const PARSER = new MarkdownIt({ html: false, linkify: false });

/** The elements that a text may become. None of them loads, runs or leads anywhere. */
const TAGS: ReadonlySet<string> = new Set(
  'p strong em s ul ol li blockquote pre code table thead tbody tr th td hr br'.split(' '),
);

/** Markdown as elements; links and pictures are their words and their addresses, to be read and not followed. */
export function MarkdownText({ text, label }: { readonly text: string; readonly label: string }) {
  const shown = useMemo(() => render(PARSER.parse(text, {})), [text]);
  return (
    <div className={`text-frame ${classes['rendered']}`} dir="auto" tabIndex={0} role="region" aria-label={label}>
      {shown}
    </div>
  );
}

type Open = { readonly token: Token; readonly children: ReactNode[] };

/** Tokens come flat, each pair around its children. */
function render(tokens: readonly Token[]): ReactNode {
  const root: ReactNode[] = [];
  const open: Open[] = [];
  const add = (node: ReactNode) => void (open.at(-1)?.children ?? root).push(node);
  tokens.forEach((token, at) => {
    if (token.nesting === 1) open.push({ token, children: [] });
    else if (token.nesting === 0) add(<Fragment key={at}>{renderLeaf(token)}</Fragment>);
    else {
      const closed = open.pop();
      if (closed !== undefined) add(<Fragment key={at}>{renderPair(closed)}</Fragment>);
    }
  });
  return root;
}

function renderPair({ token, children }: Open): ReactNode {
  if (token.type === 'link_open') return withAddress(children, token.attrGet('href'));
  // A heading of a text is none of the page.
  if (token.type === 'heading_open') return <p className={classes['heading']}>{children}</p>;
  if (token.hidden || !TAGS.has(token.tag)) return children;
  return createElement(token.tag, null, ...children);
}

function renderLeaf(token: Token): ReactNode {
  switch (token.type) {
    case 'inline':
      return render(token.children ?? []);
    case 'image':
      return withAddress([<PlainText key="alt" text={token.content} />], token.attrGet('src'));
    case 'fence':
    case 'code_block':
      return (
        <pre>
          <PlainText text={token.content} />
        </pre>
      );
    case 'code_inline':
      return (
        <code>
          <PlainText text={token.content} />
        </code>
      );
    case 'softbreak':
    case 'hardbreak':
      return <br />;
    case 'hr':
      return <hr />;
    default:
      return <PlainText text={token.content} />;
  }
}

function withAddress(words: readonly ReactNode[], address: string | null): ReactNode {
  return (
    <>
      {words} (
      <span className="muted">
        <PlainText text={address ?? ''} />
      </span>
      )
    </>
  );
}
