import { Markup, markup } from './markup.ts';
import { STYLE } from './style.ts';
import { formatMoment } from './words.ts';

interface Framed {
  readonly title: string;
  /** The element that marks a page as andon's own. */
  readonly mark: string;
  readonly over: string;
  readonly heading: Markup;
  /** Below the heading, before the list of sections. */
  readonly lead: Markup;
  readonly sections: readonly { readonly id: string; readonly title: string; readonly body: Markup }[];
  readonly now: string;
  /** The link back, on a page of a board. */
  readonly back: string | undefined;
}

/** One self-contained page: no script, nothing loaded, external text escaped. */
export function renderFrame({ title, mark, over, heading, lead, sections, now, back }: Framed): string {
  const page = markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'">
${new Markup(mark)}
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${title}</title>
<style>${new Markup(STYLE)}</style>
</head>
<body>
<main>
<header>
<p class="over">${back === undefined ? undefined : markup`<a href="${back}">Back to the board</a> · `}${over}</p>
<h1>${heading}</h1>
${lead}
<nav aria-label="Sections">${sections.map(({ id, title }) => markup`<a href="#${id}">${title}</a> `)}</nav>
</header>
${sections.map(({ id, title, body }) => markup`<section aria-labelledby="${id}"><h2 id="${id}">${title}</h2>\n${body}</section>\n`)}
<footer>Made by andon from its journal, <time datetime="${now}">${formatMoment(now)}</time>. The page loads nothing and runs nothing; what agents and the repository say is shown as text.</footer>
</main>
</body>
</html>
`;
  return page.text;
}
