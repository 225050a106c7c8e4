/** Small decorative icons beside text. */

/** Lines on a field of 24 by 24. */
const drawings = {
  account: "M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8Zm-7 8c.6-3.4 3.4-5 7-5s6.4 1.6 7 5",
  alert: "M12 4 2.8 19.5h18.4L12 4Zm0 6v4.5m0 2.5v.1",
  bell: "M6 16V11a6 6 0 1 1 12 0v5l1.5 2h-15L6 16Zm4 4.5h4",
  check: "m5 12.5 4.5 4.5L19 7.5",
  circle: "M12 18.5a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13Z",
  close: "M6 6l12 12M18 6 6 18",
  copy: "M9 9h10v11H9V9Zm-4 6V4h10",
  credits:
    "M12 8c4.4 0 8-1.1 8-2.5S16.4 3 12 3 4 4.1 4 5.5 7.6 8 12 8Zm8-2.5v13c0 1.4-3.6 2.5-8 2.5s-8-1.1-8-2.5v-13M20 12c0 1.4-3.6 2.5-8 2.5S4 13.4 4 12",
  down: "M12 4v12m-5-5 5 5 5-5M5 20h14",
  home: "M4 11 12 4l8 7v9h-5.5v-6h-5v6H4v-9Z",
  info: "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18Zm0-10v5.5m0-9v.1",
  key: "M14.5 4a5.5 5.5 0 1 0 5.5 5.5A5.5 5.5 0 0 0 14.5 4Zm-4 9.5L4 20m2.5-2.5L9 20m7.5-12.5v.1",
  list: "M8.5 6H20M8.5 12H20M8.5 18H20M4 6h.1M4 12h.1M4 18h.1",
  map: "m3.5 6 5.7-2 5.6 2 5.7-2v14l-5.7 2-5.6-2-5.7 2V6Zm5.7-2v14m5.6-12v14",
  minus: "M5 12h14",
  menu: "M4 7h16M4 12h16M4 17h16",
  organization: "M4 20.5V4h10v16.5M14 9h6v11.5M2.5 20.5h19M7.5 8h3m-3 4h3m-3 4h3m6.5-3h.1m-.1 4h.1",
  people:
    "M9 11.5A3.5 3.5 0 1 0 9 4.5a3.5 3.5 0 0 0 0 7ZM2.5 19.5C3 16.5 5.5 15 9 15s6 1.5 6.5 4.5M15.5 4.7a3.5 3.5 0 0 1 0 6.6m3 4.2c1.7.7 2.7 2.1 3 4",
  play: "M7 4.5 19 12 7 19.5v-15Z",
  plus: "M12 5v14M5 12h14",
  review: "M12 3 4.5 6v5.5c0 4.5 3 8 7.5 9.5 4.5-1.5 7.5-5 7.5-9.5V6L12 3Zm-3.3 9 2.4 2.4L15.5 10",
  search: "M10.5 17a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13Zm5-1.5L20.5 20.5",
  switch: "m8 9 4-4.5L16 9m-8 6 4 4.5L16 15",
  usage: "M4 20h16M6.5 16.5V11M12 16.5V4.5M17.5 16.5v-8"
} as const

/** The name of an icon. */
export type IconName = keyof typeof drawings

/** An icon, hidden from screen readers. */
export const Icon = ({ name }: { readonly name: IconName }) => (
  <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
    <path d={drawings[name]} />
  </svg>
)
