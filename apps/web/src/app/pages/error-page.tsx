import { useRouter } from '@tanstack/react-router'
import { Button } from '#ui/buttons/button.tsx'

/** Replaces a page that throws or cannot be loaded. */
export const ErrorPage = () => {
  const router = useRouter()
  return (
    <div role="alert" className="mx-auto max-w-md py-16 text-center">
      <h1 className="text-xl font-semibold">This page crashed</h1>
      <p className="mt-2 text-sm text-muted">Your exports and jobs aren’t affected. Try again, or reload the page.</p>
      <div className="mt-5 flex justify-center gap-2">
        <Button variant="primary" onClick={() => void router.invalidate()}>
          Try again
        </Button>
        <Button onClick={() => location.reload()}>Reload</Button>
      </div>
    </div>
  )
}
