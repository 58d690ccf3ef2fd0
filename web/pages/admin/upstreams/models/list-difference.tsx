import { adminUpstreamsText } from '../../../../i18n/admin-upstreams-text.ts';
import { useText } from '../../../../i18n/text.ts';

/** A first list may be of thousands: the table below has all of them. */
const shownMax = 50;

/** Entries that came to a list, and those that went. */
export function ListDifference({
  added,
  gone,
}: {
  added: readonly string[];
  gone: readonly string[];
}) {
  return (
    <>
      <Names names={added} sign="+" />
      <Names names={gone} sign="−" />
    </>
  );
}

function Names({ names, sign }: { names: readonly string[]; sign: string }) {
  const t = useText(adminUpstreamsText);
  if (names.length === 0) return null;
  const more = names.length - shownMax;
  return (
    <ul className="flex flex-wrap gap-x-4">
      {names.slice(0, shownMax).map((name) => (
        <li key={name} translate="no">
          <code>
            {sign} {name}
          </code>
        </li>
      ))}
      {more > 0 && <li>{t.moreNames(more)}</li>}
    </ul>
  );
}
