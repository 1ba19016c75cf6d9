import { useEffect } from 'react'
import { AuthPage } from '#features/people/accounts/auth-pages/auth-page.tsx'
import { SignInForm } from '#features/people/accounts/auth-pages/sign-in-form.tsx'
import { AuthFrame } from './auth-frame.tsx'

/** Sign-in page at the address of the page that it hides, after a sign-out in another tab. */
export const SignedOutPage = () => {
  useEffect(() => {
    document.title = 'Sign in · Docket'
    document.querySelector('#favicon')?.setAttribute('href', '/favicon.svg')
  }, [])
  return (
    <AuthFrame>
      <AuthPage title="Sign in" lead="You signed out in another tab. Sign in to continue where you were.">
        <SignInForm returnTo={location.pathname + location.search} />
      </AuthPage>
    </AuthFrame>
  )
}
