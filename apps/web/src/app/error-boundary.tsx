import { Component, type ReactNode } from 'react'
import { ErrorPage } from './error-page.tsx'

/** Shows the error page in the place of a page that broke. A class, because React has no other way to catch. */
export class ErrorBoundary extends Component<{ children: ReactNode }, { broken: boolean }> {
  override state = { broken: false }

  static getDerivedStateFromError() {
    return { broken: true }
  }

  override render() {
    return this.state.broken ? <ErrorPage reset={() => this.setState({ broken: false })} /> : this.props.children
  }
}
