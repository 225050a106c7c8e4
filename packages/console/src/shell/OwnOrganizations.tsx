import { useLoad } from "../hooks/useLoad.ts"
import { Badge } from "../kit/data/Badge.tsx"
import { WhenLoaded } from "../kit/feedback/WhenLoaded.tsx"
import { goTo } from "../router/address.ts"
import { organizationId } from "../state/organization.ts"

/** The organizations of an account, to select one. */
export const OwnOrganizations = () => {
  const loaded = useLoad("GET /v1/admin/account/organizations", {})
  return (
    <WhenLoaded loaded={loaded} waiting="Loading your organizations">
      {({ organizations }) => (
        <ul class="picks">
          {organizations.map(({ organization_id: id, organization_name, role, status }) => (
            <li key={id}>
              <button
                type="button"
                class="switch"
                aria-current={id === organizationId.value ? "true" : undefined}
                onClick={() => goTo(`/organizations/${id}`)}
              >
                <span class="name">{organization_name}</span>
                <Badge tone={status === "active" ? "plain" : "warning"}>{status === "active" ? role : status}</Badge>
              </button>
            </li>
          ))}
        </ul>
      )}
    </WhenLoaded>
  )
}
