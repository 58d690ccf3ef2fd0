import { useEffect, useState } from 'react';

/** An address of the blob for as long as the component shows it; null before. */
export function useObjectUrl(blob: Blob | null): string | null {
  const [made, setMade] = useState<{ blob: Blob; url: string } | null>(null);
  useEffect(() => {
    if (!blob) return undefined;
    const url = URL.createObjectURL(blob);
    setMade({ blob, url });
    return () => {
      URL.revokeObjectURL(url);
      setMade(null);
    };
  }, [blob]);
  return made?.blob === blob ? made.url : null;
}
