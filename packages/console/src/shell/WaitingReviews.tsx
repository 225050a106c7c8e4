import { useEffect } from "preact/hooks"
import { useLoad } from "../hooks/useLoad.ts"
import { path } from "../router/address.ts"

/** The number of reviews that wait for an operator, in the navigation. Loaded with each screen, and every minute. */
export const WaitingReviews = () => {
  const { data, reload } = useLoad("GET /v1/admin/reviews", {})
  const place = path.value
  useEffect(reload, [place])
  useEffect(() => {
    const timer = setInterval(reload, interval_ms)
    return () => clearInterval(timer)
  }, [])
  const count = data?.count ?? 0
  if (count === 0) return null
  return (
    <span class="count">
      {count > 99 ? "99+" : count}
      <span class="unseen"> waiting</span>
    </span>
  )
}

const interval_ms = 60_000
