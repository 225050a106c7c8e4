import { announced } from "./announce.ts"

/**
 * Where what is announced is said and shown. The page has one, and each dialog one of its own: behind an open dialog
 * nothing is seen or heard.
 */
export const Announcement = () => (
  <div class="announcement" role="status">
    {announced.value}
  </div>
)
