import { Button } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { messageOf } from '#platform/api/api.ts'
import { ProblemLine } from '#ui/feedback/problem-line.tsx'
import { htmlUrl, useAllowImages } from './file.api.ts'
import styles from './message-html.module.css'

const MAX_HEIGHT = 640

interface Props {
  ticketId: number
  messageId: number
  html: { hasRemote: boolean; showsRemote: boolean }
}

/** An HTML email in a frame without scripts. The server sends it with a policy that loads nothing from elsewhere. */
export default function MessageHtml({ ticketId, messageId, html: { hasRemote, showsRemote } }: Props) {
  const frame = useRef<HTMLIFrameElement>(null)
  const [height, setHeight] = useState(120)
  const allow = useAllowImages(ticketId, messageId)
  const [sizes] = useState(() => new ResizeObserver(() => measure()))
  const measure = () => {
    const root = frame.current?.contentDocument?.documentElement
    if (root) setHeight(Math.min(MAX_HEIGHT, Math.max(40, root.offsetHeight)))
  }
  useEffect(() => () => sizes.disconnect(), [sizes])
  const onLoad = () => {
    const root = frame.current?.contentDocument?.documentElement
    // Folded parts and images change the height.
    if (root) sizes.observe(root)
    measure()
  }
  return (
    <>
      {hasRemote && (
        <div className={styles.remote}>
          <span>
            {showsRemote
              ? 'Images from other servers are loaded for this sender.'
              : 'Images from other servers are blocked. Loading them tells the sender that you read this.'}
          </span>
          <Button variant="default" size="xs" loading={allow.isPending} onClick={() => allow.mutate(!showsRemote)}>
            {showsRemote ? 'Block images' : 'Load images of this sender'}
          </Button>
          <ProblemLine>{allow.isError && messageOf(allow.error)}</ProblemLine>
        </div>
      )}
      <iframe
        ref={frame}
        // The frame loads again with another policy.
        key={String(showsRemote)}
        className={styles.frame}
        title="Email"
        sandbox="allow-same-origin allow-popups allow-popups-to-escape-sandbox"
        src={htmlUrl(messageId)}
        style={{ height }}
        onLoad={onLoad}
      />
    </>
  )
}
