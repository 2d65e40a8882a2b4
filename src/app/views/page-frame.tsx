import type { ComponentChildren } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { SectionPart, When, type PageSection } from './parts.tsx';

/** A page for a file: self-contained, without a script. */
export interface PageFrame {
  /** The generator in its head; only a file with it is ever replaced. */
  readonly generator: string;
  readonly title: string;
  readonly style: string;
  readonly now: string;
  readonly header: ComponentChildren;
  readonly sections: readonly PageSection[];
}

const POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

/** One page that loads nothing and runs nothing; Preact escapes every text. */
export function renderFrame({ generator, title, style, now, header, sections }: PageFrame): string {
  return `<!doctype html>${renderToString(
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content={POLICY} />
        <meta name="generator" content={generator} />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="referrer" content="no-referrer" />
        <title>{title}</title>
        <style dangerouslySetInnerHTML={{ __html: style }} />
      </head>
      <body class="paper">
        <main>
          <header>
            {header}
            <nav aria-label="Sections">
              {sections.map((one) => (
                <a key={one.id} href={`#${one.id}`}>
                  {one.title}
                </a>
              ))}
            </nav>
          </header>
          {sections.map((one) => (
            <SectionPart key={one.id} {...one} />
          ))}
          <footer>
            Made by andon from its journal, <When at={now} />. The page loads nothing and runs nothing; what agents and
            the repository say is shown as text.
          </footer>
        </main>
      </body>
    </html>,
  )}\n`;
}
