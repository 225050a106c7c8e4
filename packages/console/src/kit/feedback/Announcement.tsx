import { announced } from "./announce.ts"

/** The live region for announcements. Each dialog has its own, since the page outside an open dialog is inert. */
export const Announcement = () => (
  <div class="announcement" role="status">
    {announced.value}
  </div>
)
