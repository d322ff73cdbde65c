{{- /* What every object's name begins with: 40 characters at most, so that the longest suffix still fits into 63. */ -}}
{{- define "answer-evidence.name" -}}
{{- .Values.fullnameOverride | default .Release.Name | trunc 40 | trimSuffix "-" -}}
{{- end }}

{{- define "answer-evidence.labels" -}}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
app.kubernetes.io/name: answer-evidence
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end }}

{{- define "answer-evidence.selector" -}}
app.kubernetes.io/name: answer-evidence
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "answer-evidence.image" -}}
{{- with .Values.image -}}
{{ .repository }}{{ if .digest }}@{{ .digest }}{{ else }}:{{ .tag | default $.Chart.AppVersion }}{{ end }}
{{- end -}}
{{- end }}

{{- define "answer-evidence.serviceAccount" -}}
{{- with .Values.serviceAccount -}}
{{ .name | default (ternary (include "answer-evidence.name" $) "default" .create) }}
{{- end -}}
{{- end }}

{{- /* Whether a Job before the release has to have an account of its own. */ -}}
{{- define "answer-evidence.makesAccount" -}}
{{- and .Values.serviceAccount.create (not .Values.serviceAccount.name) -}}
{{- end }}

{{- /* The processes of the mode, as JSON, by the name of each. */ -}}
{{- define "answer-evidence.processes" -}}
{{- if eq .Values.mode "single" -}}
{{ dict "service" .Values.single | toJson }}
{{- else -}}
{{ .Values.processes | toJson }}
{{- end -}}
{{- end }}

{{- /* The name of the Service that has the process of a role: (list $ "otlp-ingester"). */ -}}
{{- define "answer-evidence.serviceOf" -}}
{{- $root := index . 0 -}}
{{ include "answer-evidence.name" $root }}-{{ eq $root.Values.mode "single" | ternary "service" (index . 1) }}
{{- end }}

{{- /* A security context without what was set to null, which then is the cluster's to give. */ -}}
{{- define "answer-evidence.given" -}}
{{- $given := dict -}}
{{- range $name, $value := . }}{{ if not (kindIs "invalid" $value) }}{{ $_ := set $given $name $value }}{{ end }}{{ end -}}
{{ toYaml $given }}
{{- end }}

{{- /* (list $ "the service account") */ -}}
{{- define "answer-evidence.podSecurity" -}}
{{- $root := index . 0 -}}
serviceAccountName: {{ index . 1 }}
automountServiceAccountToken: {{ $root.Values.serviceAccount.automountToken }}
enableServiceLinks: false
securityContext:
  {{- include "answer-evidence.given" $root.Values.podSecurityContext | nindent 2 }}
{{- end }}

{{- define "answer-evidence.containerSecurity" -}}
securityContext:
  {{- include "answer-evidence.given" .Values.securityContext | nindent 2 }}
{{- end }}

{{- /* A setting is a text: a number that YAML has read as a float becomes one without an exponent. */ -}}
{{- define "answer-evidence.text" -}}
{{- if kindIs "float64" . }}{{ if eq (floor .) . }}{{ int64 . }}{{ else }}{{ . }}{{ end }}{{ else }}{{ . }}{{ end -}}
{{- end }}

{{- define "answer-evidence.secretsFolder" -}}
{{ .Values.secrets.folder | default "/run/secrets/answer-evidence" | trimSuffix "/" }}
{{- end }}

{{- /* All variables by name, so that none is there twice: what `settings` says wins over the chart's own. */ -}}
{{- define "answer-evidence.env" -}}
{{- $folder := include "answer-evidence.secretsFolder" . -}}
{{- $all := dict "SERVICE_BASE_URL" (required "set baseUrl, the address that callers use" .Values.baseUrl) -}}
{{- $_ := set $all "SERVICE_TRUSTED_PROXIES" .Values.trustedProxies -}}
{{- /* Each of several pods would make one, whose token is lost with it. */ -}}
{{- if eq .Values.mode "single" }}{{ $_ := set $all "SERVICE_FIRST_WORKSPACE" "off" }}{{ end -}}
{{- $files := dict "DATABASE_URL" .Values.secrets.databaseUrl -}}
{{- with .Values.secrets }}
{{- if .masterKeyWrapped }}{{ $_ := set $files "SERVICE_MASTER_KEY_WRAPPED" .masterKeyWrapped }}
{{- else }}{{ $_ := set $files "SERVICE_MASTER_KEY" .masterKey }}{{ end }}
{{- if $.Values.redis.enabled }}{{ $_ := set $files "REDIS_URL" .redisUrl }}{{ end }}
{{- if and $.Values.s3.enabled (eq $.Values.s3.credentials "keys") }}
{{- $_ := set $files "S3_ACCESS_KEY" .s3AccessKey }}{{ $_ := set $files "S3_SECRET_KEY" .s3SecretKey }}
{{- end }}
{{- end }}
{{- range $name, $file := $files }}{{ $_ := set $all (printf "%s_FILE" $name) (printf "%s/%s" $folder $file) }}{{ end -}}
{{- if ne .Values.database.credentials "url" }}{{ $_ := set $all "DATABASE_CREDENTIALS" .Values.database.credentials }}{{ end -}}
{{- with .Values.s3 }}{{ if .enabled }}
{{- $_ := set $all "S3_ENDPOINT" (required "set s3.endpoint, or s3.enabled to false" .endpoint) }}
{{- $_ := set $all "S3_BUCKET" (required "set s3.bucket, or s3.enabled to false" .bucket) }}
{{- $_ := set $all "S3_REGION" .region }}
{{- if ne .credentials "keys" }}{{ $_ := set $all "S3_CREDENTIALS" .credentials }}{{ end }}
{{- else if not $.Values.persistence.existingClaim }}{{ fail "without s3, set persistence.existingClaim, or evidence and heads are lost with the pods" }}
{{- end }}{{ end -}}
{{- range $name, $value := .Values.settings }}
{{- /* A secret given as a file of the operator's takes the place of ours, and the other way round. */ -}}
{{- $_ := unset $all (printf "%s_FILE" $name) }}{{ $_ := unset $all (trimSuffix "_FILE" $name) }}
{{- $_ := set $all $name $value }}
{{- end }}
{{- range $name, $value := $all }}
- { name: {{ $name }}, value: {{ include "answer-evidence.text" $value | quote }} }
{{- end }}
{{- end }}

{{- /* Where the console sends what browsers ask for: all processes behind one address. */ -}}
{{- define "answer-evidence.consoleUpstream" -}}
{{- if and (eq .Values.mode "split") (not (hasKey .Values.settings "SERVICE_CONSOLE_UPSTREAM")) }}
- name: SERVICE_CONSOLE_UPSTREAM
  value: {{ if .Values.router.enabled }}http://{{ include "answer-evidence.name" . }}-router:8080{{ else }}{{ .Values.baseUrl }}{{ end }}
{{- end }}
{{- end }}

{{- define "answer-evidence.mounts" -}}
{{- if not .Values.secrets.folder }}
- { name: secrets, mountPath: /run/secrets/answer-evidence, readOnly: true }
{{- end }}
- { name: data, mountPath: /var/lib/answer-evidence }
- { name: tmp, mountPath: /tmp }
{{- with .Values.extraVolumeMounts }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{- /* Volumes of a pod, of which the folder of data is the claim if there is one. */ -}}
{{- define "answer-evidence.volumes" -}}
{{- if not .Values.secrets.folder }}
- name: secrets
  secret:
    secretName: {{ required "set existingSecret, the name of a Secret that you have made, or secrets.folder" .Values.existingSecret | quote }}
    defaultMode: 0440
{{- end }}
- name: data
  {{- with .Values.persistence.existingClaim }}
  persistentVolumeClaim: { claimName: {{ . | quote }} }
  {{- else }}
  emptyDir: {}
  {{- end }}
- name: tmp
  emptyDir: {}
{{- with .Values.extraVolumes }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{- define "answer-evidence.placement" -}}
{{- with .Values.imagePullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
{{- with .Values.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.affinity }}
affinity:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{- /* (list $ "role") */ -}}
{{- define "answer-evidence.spread" -}}
{{- $root := index . 0 -}}
{{- with $root.Values.topologySpread }}
topologySpreadConstraints:
  {{- range . }}
  - {{- toYaml . | nindent 4 }}
    labelSelector:
      matchLabels:
        {{- include "answer-evidence.selector" $root | nindent 8 }}
        app.kubernetes.io/component: {{ index $ 1 }}
  {{- end }}
{{- end }}
{{- end }}
