/** Lines in a square of 24 units; a circle is two arcs. */
const LINES = {
  menu: 'M4 6h16M4 12h16M4 18h16',
  gauge: 'M4 18a8.9 8.9 0 1 1 16 0M12 15l4-5',
  page: 'M6 3h8l4 4v14H6zM14 3v4h4M9 12h6M9 16h6',
  pages: 'M9 3h7l4 4v10H9zM16 3v4h4M15 21H5V8',
  path: 'M8 18a2 2 0 1 1-4 0 2 2 0 1 1 4 0zM20 6a2 2 0 1 1-4 0 2 2 0 1 1 4 0zM8 18h7a3 3 0 0 0 0-6H9a3 3 0 0 1 0-6h7',
  checks: 'M4 7l2 2 3-4M4 17l2 2 3-4M13 7h7M13 17h7',
  shield: 'M12 3l8 3v6c0 5-3.5 8-8 9-4.5-1-8-4-8-9V6zM9 12l2 2 4-4',
  key: 'M11 16a4 4 0 1 1-8 0 4 4 0 1 1 8 0zM10 13l9-9M15 8l3 3M18 5l2 2',
  people: 'M13 8a4 4 0 1 1-8 0 4 4 0 1 1 8 0zM2 21a7 7 0 0 1 14 0M16 4a4 4 0 0 1 0 8M19 15a7 7 0 0 1 3 6',
  sliders: 'M16 7a2 2 0 1 1-4 0 2 2 0 1 1 4 0zM12 17a2 2 0 1 1-4 0 2 2 0 1 1 4 0zM4 7h8M16 7h4M4 17h4M12 17h8',
  lock: 'M6 11h12v9H6zM9 11V7a3 3 0 0 1 6 0v4',
  history: 'M4 12a8 8 0 1 0 3-6.2M4 4v4h4M12 8v4l3 2',
  bell: 'M6 17V11a6 6 0 0 1 12 0v6l2 2H4zM10 22h4',
  send: 'M3 12h12M10 7l5 5-5 5M20 5v14',
  flag: 'M6 21V4h13l-3 4 3 4H6',
  check: 'M5 12.5l4.5 4.5L19 7',
  warning: 'M12 4L2.500 20h19zM12 10v4M12 17h.01',
  cross: 'M6 6l12 12M18 6L6 18',
  pencil: 'M4 20l1-4L16 5l3 3L8 19zM14 7l3 3',
  struck: 'M21 12a9 9 0 1 1-18 0 9 9 0 1 1 18 0zM5.700 5.700l12.600 12.600',
  eraser: 'M9 20l-5-5 9-10 7 7-7 8zM9 20h11M8.500 10l7 7',
  dot: 'M12 12h.01',
} as const;

/** The name of an icon: what it shows. */
export type IconName = keyof typeof LINES;

/** An icon in the colour of the text beside it, which says the same to readers who do not see it. */
export function Icon({ name, size = 24 }: { readonly name: IconName; readonly size?: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={2}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden
    >
      <path d={LINES[name]} />
    </svg>
  );
}
