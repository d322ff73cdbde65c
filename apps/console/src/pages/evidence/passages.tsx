import { Alert, Button, Group, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import {
  EVIDENCE_PURPOSE_LENGTH_MAX,
  type EvidenceAsset,
  type RetrievedEvidence,
  type RetrievedSegment,
} from '@answer-evidence/contracts';
import { PlainText } from '../../components/plain-text.tsx';
import { ReasonDialog } from '../../components/reason-dialog.tsx';
import { saveFile } from '../../components/save-file.ts';
import { Time } from '../../components/time.tsx';
import { useSession } from '../../session/session-context.tsx';
import { useReload } from '../../session/workspace-query.ts';
import classes from './evidence.module.css';

/** So many passages at once; each more is a click and no further access. */
const SHOWN_STEP = 100;
/** The whole file passes through the memory of the page; larger ones are for the command line. */
const DOWNLOAD_BYTES_MAX = 512 * 1024 * 1024;

type Props = {
  readonly asset: EvidenceAsset;
  /** Ids of passages that the reader chose where an access names them; null where none are. */
  readonly chosen: readonly string[] | null;
  readonly onChosen: (ids: null) => void;
  readonly onAccess: () => Promise<unknown>;
};

/** What is in an asset, behind a purpose: nothing of it is asked for, and nothing kept in the page, before that. */
export function Passages({ asset, chosen, onChosen, onAccess }: Props) {
  const { t } = useTranslation();
  const { client, may } = useSession();
  const reload = useReload();
  const [asked, setAsking] = useState<'retrieve' | 'download' | null>(null);
  const asking = chosen === null ? asked : 'retrieve';
  const [retrieved, setRetrieved] = useState<RetrievedEvidence | null>(null);
  const title = t(
    asking === 'download' ? 'passages.download' : chosen === null ? 'passages.read' : 'passages.readSome',
    { count: chosen?.length ?? 0 },
  );
  const isLarge = (asset.size_bytes ?? 0) > DOWNLOAD_BYTES_MAX;

  async function access(purpose: string): Promise<void> {
    try {
      if (asking === 'retrieve') {
        const named = chosen === null ? {} : { segment_ids: [...chosen] };
        setRetrieved(await client.evidence.retrieve(asset.id, { purpose, ...named }));
      } else {
        const pieces: Uint8Array[] = [];
        for await (const piece of await client.evidence.download(asset.id, { purpose })) pieces.push(piece);
        saveFile(asset.name ?? asset.id, 'application/octet-stream', pieces);
      }
    } finally {
      // Also one that failed may be in the log, and may have found that the asset changed.
      await Promise.all([onAccess(), reload('assets')]);
    }
  }

  return (
    <section aria-labelledby="passages" className="section">
      <div className="page-head">
        <Title order={2} size="h4" id="passages">
          {t('passages.title')}
        </Title>
        {may('evidence.texts') && (
          <Group>
            {asset.segment_count > 0 && (
              <Button variant="default" onClick={() => setAsking('retrieve')}>
                {t('passages.read')}
              </Button>
            )}
            {asset.original === 'stored' && !isLarge && (
              <Button variant="default" onClick={() => setAsking('download')}>
                {t('passages.download')}
              </Button>
            )}
          </Group>
        )}
      </div>
      {asset.original === 'stored' && isLarge && <Text c="dimmed">{t('passages.large')}</Text>}
      {asset.kind === 'reference' && <Text c="dimmed">{t('passages.elsewhere')}</Text>}
      {retrieved === null ? (
        asset.segment_count > 0 && <Text c="dimmed">{t('passages.hidden', { count: asset.segment_count })}</Text>
      ) : (
        <Shown key={retrieved.access_event_id} retrieved={retrieved} onHide={() => setRetrieved(null)} />
      )}
      {asking !== null && (
        <ReasonDialog
          title={title}
          consequence={t('passages.consequence')}
          action={title}
          reasonMax={EVIDENCE_PURPOSE_LENGTH_MAX}
          onConfirm={access}
          onClose={() => {
            setAsking(null);
            onChosen(null);
          }}
        />
      )}
    </section>
  );
}

function Shown({ retrieved, onHide }: { readonly retrieved: RetrievedEvidence; readonly onHide: () => void }) {
  const { t } = useTranslation();
  const [count, setCount] = useState(SHOWN_STEP);
  const { segments } = retrieved;
  return (
    <>
      <Alert color="blue" role="status">
        {t('passages.logged')} <span className="mono">{retrieved.access_event_id}</span>{' '}
        <Button size="compact-sm" variant="default" onClick={onHide}>
          {t('passages.hide')}
        </Button>
      </Alert>
      <ol className={classes['passages']}>
        {segments.slice(0, count).map((segment) => (
          <li key={segment.segment_id}>
            <Passage segment={segment} />
          </li>
        ))}
      </ol>
      {segments.length > count && (
        <Button variant="default" onClick={() => setCount(count + SHOWN_STEP)}>
          {t('passages.more', { count: segments.length - count })}
        </Button>
      )}
    </>
  );
}

function Passage({ segment }: { readonly segment: RetrievedSegment }) {
  const { t } = useTranslation();
  const label = t('passages.one', { number: segment.index + 1 });
  return (
    <>
      <Text size="sm" c="dimmed">
        {label} ·{' '}
        <span className="mono">
          <PlainText text={segment.hash} />
        </span>
      </Text>
      {'text' in segment ? (
        <PlainText text={segment.text} isBlock label={label} />
      ) : 'tombstone' in segment ? (
        <Text fs="italic">
          {t('sources.erased')} <Time at={segment.tombstone.redacted_at} />
          {segment.tombstone.reason_code !== null && (
            <>
              {' · '}
              <PlainText text={segment.tombstone.reason_code} />
            </>
          )}
        </Text>
      ) : (
        <Text c="dimmed">{'content_base64' in segment ? t('passages.notText') : t('passages.tooLarge')}</Text>
      )}
    </>
  );
}
