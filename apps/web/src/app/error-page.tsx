import { Button } from '#ui/button.tsx'

/** What is left when a page breaks. The jobs are not affected; they live on the server. */
export const ErrorPage = ({ reset }: { reset: () => void }) => (
  <div role="alert" className="mx-auto max-w-md py-16 text-center">
    <h1 className="text-xl font-semibold">This page broke</h1>
    <p className="mt-2 text-sm text-muted">
      Your exports and jobs are not affected; Docket goes on watching them. Try again, or reload the page if it stays
      like this.
    </p>
    <div className="mt-5 flex justify-center gap-2">
      <Button variant="primary" onClick={reset}>
        Try again
      </Button>
      <Button onClick={() => location.reload()}>Reload</Button>
    </div>
  </div>
)
