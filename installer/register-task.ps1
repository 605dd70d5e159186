<#
.SYNOPSIS
Registers the hourly task by PowerShell's own commands, where schtasks.exe is not allowed.

.DESCRIPTION
The repetition lasts 9999 days: [TimeSpan]::MaxValue is refused by Task Scheduler. Batteries would
hold the task up if that were not said otherwise.
#>

[CmdletBinding()]
param(
    [Parameter(Mandatory = $true)] [string] $TaskName,
    [Parameter(Mandatory = $true)] [string] $Program,
    [Parameter(Mandatory = $true)] [string] $Arguments,
    [Parameter(Mandatory = $true)] [int] $Minutes
)

Set-StrictMode -Version 2.0
$ErrorActionPreference = 'Stop'

$action = New-ScheduledTaskAction -Execute $Program -Argument $Arguments
$hourly = New-ScheduledTaskTrigger -Once -At (Get-Date) `
    -RepetitionInterval (New-TimeSpan -Minutes $Minutes) `
    -RepetitionDuration (New-TimeSpan -Days 9999)
$settings = New-ScheduledTaskSettingsSet -StartWhenAvailable -AllowStartIfOnBatteries `
    -DontStopIfGoingOnBatteries -MultipleInstances IgnoreNew `
    -ExecutionTimeLimit (New-TimeSpan -Minutes 30)
$task = @{
    TaskName = $TaskName
    Action = $action
    Trigger = $hourly
    Settings = $settings
    Description = 'ChatRecall takes in and summarizes the sessions of Claude Code.'
    Force = $true
}
Register-ScheduledTask @task | Out-Null
