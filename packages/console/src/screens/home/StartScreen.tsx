import { useEffect } from "preact/hooks"
import { Loading } from "../../kit/feedback/Loading.tsx"
import { redirectTo } from "../../router/address.ts"
import { organizationId } from "../../state/organization.ts"

/** Redirects to the selected organization, or to the list of all. */
export const StartScreen = () => {
  useEffect(() => {
    const id = organizationId.peek()
    redirectTo(id === undefined ? "/organizations" : `/organizations/${id}`)
  }, [])
  return <Loading />
}
