/** The error message of a call. */
export const Problem = ({ error }: { readonly error: Error | null }) =>
  error && (
    <div className="notice bad" role="alert">
      <p>{error.message}</p>
    </div>
  )
