/**
 * Loads a part of the picker, also after it could not be loaded without a connection: browsers remember such a failure for as
 * long as the page is open. With a query, it is another file.
 */
export const loadAgain = <A>(load: () => Promise<A>): Promise<A> =>
  load().catch(({ message }): Promise<A> => import(`${/http\S+/.exec(message)}?${Date.now()}`))
