import { playgroundText } from '../../../../i18n/playground-text.ts';
import { useText } from '../../../../i18n/text.ts';
import { type DiffPart, diffWords } from './word-diff.ts';

/** The prompt that was really drawn, where that is another, with what was changed. */
export function RevisedPrompt({ asked, revised }: { asked: string; revised: string | null }) {
  const t = useText(playgroundText);
  if (revised === null || revised === asked) return null;
  const parts = diffWords(asked, revised);
  return (
    <details className="text-label">
      <summary className="w-fit font-semibold">{t.revised}</summary>
      <div className="max-h-40 overflow-y-auto pt-1">
        <p className="text-text-2">{t.revisedBy}</p>
        <p dir="auto" className="whitespace-pre-wrap wrap-anywhere">
          {parts
            ? // oxlint-disable-next-line react/no-array-index-key -- parts are their places
              parts.map((part, index) => <Part key={index} part={part} />)
            : revised}
        </p>
      </div>
    </details>
  );
}

function Part({ part: { kind, text } }: { part: DiffPart }) {
  const t = useText(playgroundText);
  switch (kind) {
    case 'same':
      return text;
    case 'added':
      return (
        <ins className="rounded-small bg-ok-soft text-ok no-underline">
          <Spoken>{t.added}</Spoken>
          {text}
        </ins>
      );
    case 'removed':
      return (
        <del className="rounded-small bg-bad-soft text-bad">
          <Spoken>{t.removed}</Spoken>
          {text}
        </del>
      );
  }
}

/** Screen readers pass over the marks themselves. */
function Spoken({ children }: { children: string }) {
  return <span className="sr-only">{`[${children}] `}</span>;
}
