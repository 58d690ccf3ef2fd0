/** How every picture of lucide-react is drawn: `<Search {...icon} />`. */
export const icon = { size: 16, strokeWidth: 1.5, 'aria-hidden': true } as const;
