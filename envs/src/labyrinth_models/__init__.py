"""Models for the lab without torch: sentence models made of packaged weights, and a language model's file."""
