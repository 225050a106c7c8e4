/** Positions of the write-ahead log, in bytes from its beginning, and the names of its segments. */

/** `1/A0` → 4294967456. */
export const parsePosition = (lsn: string): number => {
  const [high = "", low = ""] = lsn.split("/")
  return Number.parseInt(high, 16) * 2 ** 32 + Number.parseInt(low, 16)
}

/** 4294967456 → `1/A0`. */
export const formatPosition = (position: number): string =>
  `${Math.floor(position / 2 ** 32).toString(16)}/${(position % 2 ** 32).toString(16)}`.toUpperCase()

/** The beginning of the segment that contains a position. */
export const segmentStart = (position: number, segment_bytes: number): number => position - (position % segment_bytes)

/** The file of the segment that begins at a position. */
export const segmentName = (timeline: number, start: number, segment_bytes: number): string =>
  [timeline, Math.floor(start / 2 ** 32), (start % 2 ** 32) / segment_bytes]
    .map((part) => part.toString(16).toUpperCase().padStart(8, "0"))
    .join("")

/** The timeline and the beginning of a segment, by the name of its file. */
export const parseSegmentName = (
  name: string,
  segment_bytes: number
): { readonly timeline: number; readonly start: number } => {
  const [timeline = 0, high = 0, low = 0] = [0, 8, 16].map((from) => Number.parseInt(name.slice(from, from + 8), 16))
  return { timeline, start: high * 2 ** 32 + low * segment_bytes }
}
