import { organizationLimits } from "@postcode/gateway/InputLimits"
import { useSignal } from "@preact/signals"
import { useDebouncedText } from "../../hooks/useFieldText.ts"
import { useLoad } from "../../hooks/useLoad.ts"
import { KybBadge } from "../../kit/data/KybBadge.tsx"
import { WhenLoaded } from "../../kit/feedback/WhenLoaded.tsx"
import { TextField } from "../../kit/forms/Field.tsx"

/** Finds an organization by a part of its name, while typing. */
export const OrganizationSearch = ({ onPick }: { readonly onPick: (id: string) => void }) => {
  const asked = useSignal("")
  const typed = useDebouncedText(asked)
  const query = { limit: 20, ...(asked.value !== "" && { name: asked.value }) }
  const loaded = useLoad("GET /v1/admin/organizations", { query })
  const { data } = loaded
  return (
    <div class="stack">
      <TextField
        label="Part of its name"
        type="search"
        value={typed}
        maxLength={organizationLimits.name}
        isOptional
        hasFocus
      />
      <WhenLoaded loaded={loaded} waiting="Searching" />
      <ul class="picks">
        {data?.organizations.map(({ id, kyb_status, name }) => (
          <li key={id}>
            <button type="button" class="switch" onClick={() => onPick(id)}>
              <span class="name">{name}</span>
              <KybBadge status={kyb_status} />
            </button>
          </li>
        ))}
      </ul>
      <p class="muted" role="status">
        {data?.organizations.length === 0 && "No organization’s name contains this."}
        {data?.next_cursor && "There are more. Type more of the name."}
      </p>
    </div>
  )
}
