/** A filter that stands in the address, as the value of a field. */
import { query, setQuery } from "./address.ts"

/** @param absent what it is where the address says nothing of it */
export const queryField = (name: string, absent = ""): { value: string } => ({
  get value() {
    return query.value.get(name) ?? absent
  },
  set value(next) {
    setQuery({ [name]: next === absent ? undefined : next })
  }
})
