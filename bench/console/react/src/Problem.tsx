/** Why a call got no good answer. */
export const Problem = ({ error }: { readonly error: Error | null }) =>
  error && (
    <div className="notice bad" role="alert">
      <p>{error.message}</p>
    </div>
  )
