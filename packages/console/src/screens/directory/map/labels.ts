/** Places labels beside, above or below points, without overlaps. */

/** In pixels, from the left and from the top. */
export interface Box {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** A point and its label. */
export interface Labelled {
  readonly x: number
  readonly y: number
  readonly text: string
}

/** The size of a character on the map, in pixels. */
const character = { width: 7.3, height: 15 }
const gap = 8

/**
 * The box of each label, in the order of the points; undefined if there is no space. Earlier points take precedence,
 * and the first always gets a label.
 *
 * @param frame the area for labels
 * @param taken the boxes of other elements
 */
export const placeLabels = (
  points: ReadonlyArray<Labelled>,
  frame: Box,
  taken: ReadonlyArray<Box>
): ReadonlyArray<Box | undefined> => {
  const full = [...taken, ...points.map(({ x, y }) => ({ x: x - 4, y: y - 4, width: 8, height: 8 }))]
  return points.map((point, at) => {
    const boxes = boxesFor(point).filter((box) => isWithin(box, frame))
    const room = boxes.find((box) => !full.some((other) => overlaps(box, other))) ?? (at === 0 ? boxes[0] : undefined)
    if (room !== undefined) full.push(room)
    return room
  })
}

const boxesFor = ({ text, x, y }: Labelled): ReadonlyArray<Box> => {
  const width = text.length * character.width
  const { height } = character
  return [
    { x: x + gap, y: y - height / 2, width, height },
    { x: x - gap - width, y: y - height / 2, width, height },
    { x: x - width / 2, y: y - gap - height, width, height },
    { x: x - width / 2, y: y + gap, width, height }
  ]
}

const overlaps = (a: Box, b: Box): boolean =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height

const isWithin = (box: Box, frame: Box): boolean =>
  box.x >= frame.x &&
  box.y >= frame.y &&
  box.x + box.width <= frame.x + frame.width &&
  box.y + box.height <= frame.y + frame.height
