import { InvalidSnapshot } from "./InvalidSnapshot.ts"

/** @throws InvalidSnapshot unless a section has as many elements as the others require */
export const checkLength = (section: string, found: number, expected: number): void => {
  if (found !== expected) {
    throw new InvalidSnapshot(`section ${section}: expected ${expected} elements, found ${found}`)
  }
}
