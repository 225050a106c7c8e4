/** What waits until a test lets it go on. */
export const makeHeld = (): { readonly released: Promise<void>; readonly release: () => void } => {
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  return { released, release }
}
