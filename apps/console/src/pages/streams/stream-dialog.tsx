import { NativeSelect, Switch, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Stream, StreamFormat } from '@answer-evidence/contracts';
import { FormDialog } from '../../components/form-dialog.tsx';
import { useSession } from '../../session/session-context.tsx';
import { useReload } from '../../session/workspace-query.ts';
import { type DestinationDraft, type DestinationType, readDraft } from './destination-drafts.ts';
import { DestinationFields } from './destination-fields.tsx';

const FORMATS = ['ocsf', 'json'] as const satisfies readonly StreamFormat[];
const BEGINNINGS = ['now', 'beginning'] as const;

type Props = {
  /** The one to change; left out: a new one. */
  readonly stream?: Stream;
  readonly onClose: () => void;
};

/** Adds a stream, or changes one. What its destination is reached with is never shown again. */
export function StreamDialog({ stream, onClose }: Props) {
  const { t } = useTranslation();
  const { client } = useSession();
  const reload = useReload();
  const [name, setName] = useState(stream?.name ?? '');
  const [format, setFormat] = useState<StreamFormat>(stream?.format ?? 'ocsf');
  const [includesReasons, setReasons] = useState(stream?.include_reasons ?? false);
  const [from, setFrom] = useState<(typeof BEGINNINGS)[number]>('now');
  const [isReplaced, setReplaced] = useState(stream === undefined);
  const [type, setType] = useState<DestinationType>(stream?.destination.type ?? 'https');
  const [draft, setDraft] = useState<DestinationDraft>({});
  const { destination, faultOf } = readDraft(type, draft);
  const isReady = name.trim() !== '' && (!isReplaced || destination !== undefined);

  async function submit(): Promise<void> {
    const wanted = { name: name.trim(), format, include_reasons: includesReasons };
    if (stream !== undefined)
      await client.streams.change(stream.id, {
        ...wanted,
        ...(isReplaced && destination !== undefined ? { destination } : {}),
      });
    else if (destination !== undefined) await client.streams.create({ ...wanted, destination, from });
    await reload('streams');
    onClose();
  }

  const title = stream === undefined ? t('streams.add') : t('streams.changeOf', { name: stream.name });
  return (
    <FormDialog
      title={title}
      size="xl"
      action={t(stream === undefined ? 'streams.add' : 'common.save')}
      isReady={isReady}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextInput
        label={t('streams.name')}
        description={t('streams.nameHint')}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        required
        data-autofocus
      />
      {stream !== undefined && (
        <Switch
          checked={isReplaced}
          onChange={(event) => setReplaced(event.currentTarget.checked)}
          label={t('streams.replace')}
          description={t('streams.replaceHint')}
        />
      )}
      {isReplaced && <DestinationFields {...{ type, draft, faultOf }} onType={setType} onChange={setDraft} />}
      <NativeSelect
        label={t('streams.format')}
        value={format}
        onChange={({ currentTarget: { value } }) => setFormat(FORMATS.find((one) => one === value) ?? format)}
        data={FORMATS.map((value) => ({ value, label: t(`streams.formats.${value}`) }))}
      />
      {stream === undefined && (
        <NativeSelect
          label={t('streams.from')}
          value={from}
          onChange={({ currentTarget: { value } }) => setFrom(BEGINNINGS.find((one) => one === value) ?? from)}
          data={BEGINNINGS.map((value) => ({ value, label: t(`streams.beginnings.${value}`) }))}
        />
      )}
      <Switch
        checked={includesReasons}
        onChange={(event) => setReasons(event.currentTarget.checked)}
        label={t('streams.reasons')}
        description={t('streams.reasonsHint')}
      />
    </FormDialog>
  );
}
