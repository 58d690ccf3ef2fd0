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
  if (names.length === 0) return null;
  return (
    <ul className="flex flex-wrap gap-x-4" translate="no">
      {names.map((name) => (
        <li key={name}>
          <code>
            {sign} {name}
          </code>
        </li>
      ))}
    </ul>
  );
}
