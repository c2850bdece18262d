import { Component, type ReactNode } from 'react'
import { FailureView } from './failure-view.tsx'

interface Props {
  children: ReactNode
  /** A new value, such as another path, clears the error. */
  resetKey: string
  onRetry?: () => void
}

/** Keeps a crash in one section from breaking the rest of the page. */
export class ErrorBoundary extends Component<Props, { error: unknown; isBroken: boolean }> {
  override state = { error: undefined as unknown, isBroken: false }

  static getDerivedStateFromError(error: unknown) {
    return { error, isBroken: true }
  }

  override componentDidUpdate(before: Props): void {
    if (this.state.isBroken && before.resetKey !== this.props.resetKey) this.clear()
  }

  private clear = () => this.setState({ error: undefined, isBroken: false })

  override render(): ReactNode {
    if (!this.state.isBroken) return this.props.children
    const retry = () => {
      this.props.onRetry?.()
      this.clear()
    }
    return <FailureView title="This section stopped working" error={this.state.error} onRetry={retry} />
  }
}
