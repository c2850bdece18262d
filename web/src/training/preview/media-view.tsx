import type { ContentOf } from '@limber/contract/training/lessons/content.ts'
import { clockText } from '../labels.ts'
import { Markup } from './markup.tsx'

type PlayableVideo = Pick<ContentOf<'video'>, 'url' | 'duration' | 'thumbnail' | 'subtitles' | 'autoplay' | 'controls'>

/** A video, 400 px high, or 300 px in a mixed lesson. */
export function VideoView({ content, height }: { content: PlayableVideo; height: number }) {
  const { url, duration, thumbnail, subtitles, autoplay, controls } = content
  if (!url) return <p className="missing">Video URL not set</p>
  return (
    <figure style={{ margin: 0 }}>
      <video
        key={url}
        height={height}
        style={{ height }}
        controls={controls ?? true}
        autoPlay={autoplay ?? false}
        muted={autoplay ?? false}
        preload="metadata"
        playsInline
        {...(thumbnail ? { poster: thumbnail } : {})}
      >
        <source src={url} type={url.endsWith('.webm') ? 'video/webm' : 'video/mp4'} />
        {subtitles.map((track, index) => (
          <track
            key={track.url}
            kind="subtitles"
            src={track.url}
            srcLang={track.language}
            label={track.label}
            default={index === 0}
          />
        ))}
      </video>
      {duration !== null && duration > 0 && (
        <figcaption className="note">{`Duration ${clockText(duration)}`}</figcaption>
      )}
    </figure>
  )
}

type Sound = Pick<ContentOf<'audio'>, 'url' | 'duration' | 'transcript' | 'autoplay' | 'controls'>

/** An audio player with its transcript. */
export function AudioView({ content }: { content: Sound }) {
  const { url, duration, transcript, autoplay, controls } = content
  return (
    <>
      {url ? (
        // biome-ignore lint/a11y/useMediaCaption: the transcript is below it
        <audio key={url} controls={controls ?? true} autoPlay={autoplay ?? false} preload="metadata">
          <source src={url} type="audio/mpeg" />
        </audio>
      ) : (
        <p className="missing">Audio URL not set</p>
      )}
      {duration !== null && duration > 0 && <p className="note">{`Duration ${clockText(duration)}`}</p>}
      {transcript && (
        <details open>
          <summary>Transcript</summary>
          <Markup text={transcript} formatting="rich_text" allowHtml />
        </details>
      )}
    </>
  )
}
