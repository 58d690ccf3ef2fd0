/** A plate in its frame: the sign of the service, in the ink of the theme. */
export function Mark() {
  return (
    <svg viewBox="0 0 32 32" width={20} height={20} aria-hidden className="shrink-0">
      <rect width="32" height="32" rx="6" fill="var(--ink)" />
      <rect
        x="7"
        y="6"
        width="18"
        height="20"
        rx="1"
        fill="none"
        stroke="var(--on-ink)"
        strokeWidth="2"
      />
      <path d="M11 21.5l3.6-4.6 2.6 3 2-2.3 2.8 3.9z" fill="var(--on-ink)" />
      <circle cx="18.8" cy="12.4" r="1.9" fill="var(--on-ink)" />
    </svg>
  );
}
