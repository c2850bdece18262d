/** The logo: an L with its angle measured. */
export function Logo({ size = 22 }: { size?: number }) {
  return (
    <svg viewBox="0 0 24 24" width={size} height={size} aria-hidden>
      <rect width="24" height="24" rx="6" fill="var(--accent)" />
      <path
        d="M10.1 7.9A9.6 9.6 0 0 1 16.4 14.4"
        fill="none"
        stroke="#8fd3cf"
        strokeWidth="2.1"
        strokeLinecap="round"
      />
      <path
        d="M7 5.6V17.4H18.4"
        fill="none"
        stroke="#fff"
        strokeWidth="2.5"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  )
}
